/** First part of the name of every environment variable of this program. */
export const VARIABLE_PREFIX = 'HLC_MIDDLEWARE_';

/** `periodMs` → `period-ms`: the flag without its dashes, and the key in the file. */
export const kebabCase = (key: string): string =>
  key.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

/** `periodMs` → `--period-ms`. */
export const flagName = (key: string): string => `--${kebabCase(key)}`;

/** `periodMs` → `period_ms`: the parameter of ROS 2. */
export const parameterName = (key: string): string => kebabCase(key).replaceAll('-', '_');

/** `periodMs` → `HLC_MIDDLEWARE_PERIOD_MS`. */
export const variableName = (key: string): string =>
  VARIABLE_PREFIX + kebabCase(key).replaceAll('-', '_').toUpperCase();
