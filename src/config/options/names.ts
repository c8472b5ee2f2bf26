/** First part of the name of every environment variable of this program. */
export const variablePrefix = 'HLC_MIDDLEWARE_';

/** `periodMs` → `period-ms`: the flag without its dashes, and the key in the file. */
export function kebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

/** `periodMs` → `--period-ms`. */
export function flagName(key: string): string {
  return `--${kebabCase(key)}`;
}

/** `periodMs` → `period_ms`: the parameter of ROS 2. */
export function parameterName(key: string): string {
  return kebabCase(key).replaceAll('-', '_');
}

/** `periodMs` → `HLC_MIDDLEWARE_PERIOD_MS`. */
export function variableName(key: string): string {
  return variablePrefix + kebabCase(key).replaceAll('-', '_').toUpperCase();
}
