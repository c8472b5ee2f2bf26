/** Microseconds; `p50` and `p99` to three significant digits; all 0 when nothing was recorded. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What `--summary` writes; units are in the names. See docs/reference/summary.md. */
export interface RunSummary {
  /** Grid times that passed while running: start signals and skipped periods. */
  readonly periods: number;
  readonly start_signals: number;
  /** Start signals with the content of an earlier one, since the event loop stood still. */
  readonly start_signals_repeated: number;
  /** Periods without a start signal because this program was late. */
  readonly skipped_periods: number;
  /** Times at which a start signal was due and the event loop stood still, 50 ms or more. */
  readonly event_loop_stalls: number;
  /** The longest of them. */
  readonly event_loop_stall_max_us: number;
  /** By topic. */
  readonly commands_forwarded: Readonly<Record<string, number>>;
  /** By code of the check that refused. */
  readonly commands_refused: Readonly<Record<string, number>>;
  /** Forwarded although a check failed, by code of the check. */
  readonly commands_flagged: Readonly<Record<string, number>>;
  /** Commands of the middleware's own: a controller's last one repeated, and stop commands. */
  readonly own_commands: { readonly hold: number; readonly stop: number };
  /** Lines of the log and of the display that could not be written. */
  readonly output_lines_lost: number;
  /** Observers of the session that failed and were switched off. */
  readonly observers_removed: number;
  /** Processes that said they were a controller that another process is. */
  readonly second_controllers: number;
  /** Start signals and commands that could not be handed to the network in time, by error code. */
  readonly writes_failed: Readonly<Record<string, number>>;
  /** Samples that were no sample of their topic's type, by topic. */
  readonly samples_malformed: Readonly<Record<string, number>>;
  /** By vehicle id. */
  readonly controllers: Readonly<Record<string, ControllerSummary>>;
  /** From the grid time to the moment at which the start signal is handed to the network. */
  readonly start_signal_lateness_us: Quantiles;
  /** From the start signal to the first valid command, all controllers. */
  readonly reply_time_us: Quantiles;
  /** By vehicle id. */
  readonly vehicles: Readonly<Record<string, VehicleSummary>>;
}

export interface ControllerSummary {
  readonly replies: number;
  readonly misses: number;
  readonly late_replies: number;
  /** Commands for its vehicle that were not forwarded. */
  readonly commands_refused: number;
  /** How often its vehicle was brought to rest because it was silent or gone. */
  readonly safe_stops: number;
  /** True when it was stopped at the end, and not resumed. */
  readonly latched: boolean;
  readonly reply_time_us: Quantiles;
}

export interface VehicleSummary {
  /** Increase of the vehicle's own odometer while this program saw it, m. */
  readonly distance_m: number;
  readonly states_received: number;
  /** Start signals that listed a state of the vehicle that was a second old, or older. */
  readonly stale_periods: number;
}
