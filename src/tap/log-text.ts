import type { TapLog } from './contents.js';

/** The text of an entry of the log, with the id of its controller: some texts leave it to a field. */
export function logText({ msg = '', controller }: TapLog): string {
  if (typeof controller !== 'number') return msg;
  const isNamed = new RegExp(`(controller|vehicle) ${controller}\\b`).test(msg);
  return isNamed ? msg : `${msg}, controller ${controller}`;
}
