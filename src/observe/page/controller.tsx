import { useEffect, useState } from 'preact/hooks';
import type { CommandView, Finding } from '../live/page-protocol.js';
import { timeOf } from './time-of-day.js';

const refreshMs = 1000;

/** The page of one controller: its last commands as numbers, and what a certification found. */
export function Controller({ id }: { readonly id: number }) {
  const commands = useAnswer<readonly CommandView[]>(`/commands?id=${id}`);
  const finding = useAnswer<Finding | null>(`/finding?id=${id}`);
  return (
    <>
      <div class="scroll" data-testid="commands">
        <h3>Last commands for vehicle {id}</h3>
        <table>
          <tbody>
            {(commands.content ?? []).map((command, i) => (
              <tr key={i}>
                <td>{timeOf(command.t)}</td>
                <td>{command.kind}</td>
                <td class={command.forwarded ? '' : 'warn'}>
                  {command.forwarded ? 'forwarded' : 'refused'}
                </td>
                <td class="text">
                  {Object.entries(command.numbers)
                    .map(([name, value]) => `${name} ${shown(value)}`)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {finding.content && <FindingView finding={finding.content} />}
      {finding.refusal !== undefined && <p class="warn">{finding.refusal}</p>}
    </>
  );
}

function shown(value: number | null): string {
  return value === null ? 'not a finite number' : String(Number(value.toPrecision(6)));
}

/** Each rule that was not passed, with what to change. */
function FindingView({ finding }: { readonly finding: Finding }) {
  const { time, version, period_ms, passed, failed, not_tested, rules } = finding;
  const counts = [`${passed} passed`, `${failed} failed`, `${not_tested} not tested`];
  return (
    <div data-testid="finding">
      <h3>Last certification of this controller</h3>
      <p class={failed > 0 ? 'bad' : ''}>
        {failed > 0 ? 'It does not keep all rules' : 'It keeps all tested rules'}:{' '}
        {counts.join(', ')}.
      </p>
      <p class="hint">
        {new Date(time).toLocaleString()}, version {version}, period {period_ms} ms
      </p>
      <ul>
        {rules.map((rule) => (
          <li key={rule.id} class={rule.outcome === 'fail' ? 'bad' : ''}>
            {rule.outcome === 'fail' ? 'failed' : 'not tested'}: <b>{rule.id}</b>, {rule.title}.{' '}
            {rule.evidence} {rule.outcome === 'fail' && rule.change}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Answer<T> {
  readonly content?: T;
  /** Why there is none. */
  readonly refusal?: string;
}

/** What the observer answers, asked again every second; the last answer stays while there is none. */
function useAnswer<T>(path: string): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({});
  useEffect(() => {
    const load = async () => {
      const response = await fetch(path);
      if (response.ok) setAnswer({ content: (await response.json()) as T });
      else setAnswer({ refusal: await response.text() });
    };
    const loadOrKeep = () => void load().catch(() => undefined);
    loadOrKeep();
    const timer = setInterval(loadOrKeep, refreshMs);
    return () => clearInterval(timer);
  }, [path]);
  return answer;
}
