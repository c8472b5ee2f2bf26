import type { LiveView } from '../live/live-view.js';
import { Exposition, usPerS } from './exposition.js';

/** The counts of the middleware in the text format of Prometheus, version 0.0.4. */
export function metricsText(view: LiveView): string {
  const text = new Exposition();
  const content = view.summary;
  const isConnected = view.connection === 'connected';
  text.gauge(
    'hlc_up',
    'Whether a middleware is there and writes its counts; 0 also when it stands still.',
    isConnected ? 1 : 0,
  );
  text.counter(
    'hlc_tap_records_lost_total',
    'Records of the tap that the observer was too slow for.',
    view.lostRecords,
  );
  if (content?.summary) {
    counts(text, content.summary);
    controllers(text, content, isConnected);
    vehicles(text, view, content.summary);
  }
  return text.toString();
}

type Content = NonNullable<LiveView['summary']>;
type Summary = NonNullable<Content['summary']>;

function counts(text: Exposition, summary: Summary): void {
  const counter = (name: string, help: string, value: number) => text.counter(name, help, value);
  counter('hlc_start_signals_total', 'Start signals that were sent.', summary.start_signals);
  counter(
    'hlc_start_signals_repeated_total',
    'Start signals with the content of an earlier one.',
    summary.start_signals_repeated,
  );
  counter(
    'hlc_periods_skipped_total',
    'Periods without a start signal, since the middleware was late.',
    summary.skipped_periods,
  );
  counter(
    'hlc_event_loop_stalls_total',
    'Times at which the event loop of the middleware stood still.',
    summary.event_loop_stalls,
  );
  text.gauge(
    'hlc_event_loop_stall_max_seconds',
    'The longest time for which the event loop of the middleware stood still. Of the whole run.',
    summary.event_loop_stall_max_us / usPerS,
  );
  counter(
    'hlc_observers_removed_total',
    'Parts of the middleware that count, log or show, and failed and were switched off.',
    summary.observers_removed,
  );
  counter(
    'hlc_second_controllers_total',
    'Processes that sent the ready signal of a controller of another process.',
    summary.second_controllers,
  );
  text.counters(
    'hlc_commands_forwarded_total',
    'Commands to vehicles.',
    'topic',
    summary.commands_forwarded,
  );
  text.counters(
    'hlc_commands_refused_total',
    'Commands that failed a check.',
    'code',
    summary.commands_refused,
  );
  text.counters(
    'hlc_commands_flagged_total',
    'Commands that failed a check and were forwarded.',
    'code',
    summary.commands_flagged,
  );
  text.counters(
    'hlc_own_commands_total',
    'Commands of the middleware itself.',
    'cause',
    summary.own_commands,
  );
  text.counters(
    'hlc_writes_failed_total',
    'Samples that could not be written.',
    'code',
    summary.writes_failed,
  );
  text.counters(
    'hlc_samples_malformed_total',
    'Samples that were none of their type.',
    'topic',
    summary.samples_malformed,
  );
  const lateness = summary.start_signal_lateness_us;
  text.durations('hlc_start_signal_lateness', 'From the grid time to the start signal.', [
    [{}, lateness],
  ]);
}

/** States of a controller that takes no part. */
const notAlive: ReadonlySet<string> = new Set(['dead', 'absent', 'rejoining']);

function controllers(
  text: Exposition,
  { summary, controllers: states }: Content,
  isConnected: boolean,
): void {
  if (summary === null) return;
  const all = Object.entries(summary.controllers);
  const each = (value: (counts: (typeof all)[number][1]) => number): Record<string, number> =>
    Object.fromEntries(all.map(([id, entry]) => [id, value(entry)]));
  text.counters(
    'hlc_replies_total',
    'Periods that a controller replied to.',
    'controller',
    each((c) => c.replies),
  );
  text.counters(
    'hlc_misses_total',
    'Periods that a controller missed.',
    'controller',
    each((c) => c.misses),
  );
  text.counters(
    'hlc_late_replies_total',
    'Replies after their period.',
    'controller',
    each((c) => c.late_replies),
  );
  text.counters(
    'hlc_controller_commands_refused_total',
    'Commands for the vehicle of a controller that failed a check.',
    'controller',
    each((c) => c.commands_refused),
  );
  text.counters(
    'hlc_safe_stops_total',
    'Stops of the vehicle of a controller.',
    'controller',
    each((c) => c.safe_stops),
  );
  text.gauges(
    'hlc_controller_latched',
    'Whether a controller is stopped until a resume.',
    'controller',
    each((c) => (c.latched ? 1 : 0)),
  );
  const alive = Object.fromEntries(
    isConnected ? states.map(({ id, state }) => [id, notAlive.has(state) ? 0 : 1]) : [],
  );
  text.gauges('hlc_controller_alive', 'Whether a controller takes part.', 'controller', alive);
  text.durations(
    'hlc_reply_time',
    'From the start signal to the reply.',
    all.map(([controller, { reply_time_us }]) => [{ controller }, reply_time_us] as const),
  );
}

function vehicles(text: Exposition, view: LiveView, summary: Summary): void {
  const all = Object.entries(summary.vehicles);
  const each = (value: (counts: (typeof all)[number][1]) => number): Record<string, number> =>
    Object.fromEntries(all.map(([id, entry]) => [id, value(entry)]));
  text.counters(
    'hlc_vehicle_states_total',
    'States that were received.',
    'vehicle',
    each((v) => v.states_received),
  );
  text.counters(
    'hlc_vehicle_stale_periods_total',
    'Start signals with a stale state.',
    'vehicle',
    each((v) => v.stale_periods),
  );
  const now = view.connection === 'connected' ? view.vehicles() : [];
  // A number that is unknown has no sample.
  const gauge = (value: (vehicle: (typeof now)[number]) => number | null): Record<string, number> =>
    Object.fromEntries(
      now.flatMap((vehicle) => {
        const known = value(vehicle);
        return known === null ? [] : [[vehicle.id, known] as const];
      }),
    );
  text.gauges(
    'hlc_vehicle_battery_volts',
    'Voltage of the battery.',
    'vehicle',
    gauge((v) => v.battery),
  );
  text.gauges(
    'hlc_vehicle_speed_metres_per_second',
    'Speed.',
    'vehicle',
    gauge((v) => v.speed),
  );
  text.gauges(
    'hlc_vehicle_state_timestamp_seconds',
    'When the newest state was received, since 1970.',
    'vehicle',
    gauge((v) => v.t / 1000),
  );
}
