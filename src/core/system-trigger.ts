/**
 * The `next_start` of a system trigger that means stop, not a time: all ones (CPM Lab,
 * `TRIGGER_STOP_SYMBOL`).
 */
export const STOP_SYMBOL = 0xffff_ffff_ffff_ffffn;
