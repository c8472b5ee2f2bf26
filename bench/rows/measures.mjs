/**
 * What a row measures: its unit, which values are better, and the figure of a run.
 * @typedef {Pick<import('./row.mjs').Row, 'unit' | 'better' | 'figure'>} Measure
 */

/** @type {Measure} */
export const stepRate = {
  unit: 'steps/s',
  better: 'more',
  figure: ({ startSignalsPerSecond }) => startSignalsPerSecond,
};

/** @type {Measure} */
export const lateness = {
  unit: 'µs',
  better: 'less',
  figure: ({ latenessP99Us }) => latenessP99Us,
};

/** @type {Measure} */
export const forwarding = {
  unit: 'µs',
  better: 'less',
  figure: ({ forwardedP50Us }) => forwardedP50Us,
};

/** @type {Measure} */
export const stepTime = {
  unit: 'µs',
  better: 'less',
  figure: ({ stepP50Us }) => stepP50Us,
};

/** @type {Measure} */
export const processorShare = {
  unit: '% of a core',
  better: 'less',
  figure: ({ cpuShare }) => 100 * cpuShare,
};

/** @type {Measure} */
export const peakMemory = {
  unit: 'MB',
  better: 'less',
  figure: ({ peakResidentMb }) => peakResidentMb,
};
