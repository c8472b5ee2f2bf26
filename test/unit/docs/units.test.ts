import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../cli/run.js';

const folder = 'launch';
const program = '/usr/local/bin/hlc-middleware ';

/** The values of a key of a systemd unit. */
function valuesOf(text: string, key: string): string[] {
  return [...text.matchAll(/^(\w+)=(.*)$/gm)].flatMap(([, name, value = '']) =>
    name === key ? [value] : [],
  );
}

describe.each(readdirSync(folder).filter((file) => file.endsWith('.service')))(
  'launch/%s',
  (file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');

    it('starts a command line that the program takes', async () => {
      const [command = ''] = valuesOf(text, 'ExecStart');
      expect(command.startsWith(program)).toBe(true);
      const { exitCode, error, configs } = await run(command.slice(program.length), {
        readFile: () => 'vehicle-ids: [1, 2]\nperiod-ms: 50\n',
      });
      expect(error).toBe('');
      expect(exitCode).toBe(0);
      expect(configs[0]?.output.controlSocket?.path).toBe('/var/lib/hlc-middleware/control.sock');
    });

    it('is ready by its own message, and watched', () => {
      expect(valuesOf(text, 'Type')).toEqual(['notify']);
      expect(valuesOf(text, 'WatchdogSec')).toEqual(['3']);
    });
  },
);
