/** Broken samples for each codec: few in `npm test`, a million in `npm run fuzz`. */
export const samplesPerCodec = Number(process.env.HLC_FUZZ_SAMPLES ?? 3000);

/** Broken samples for each topic that go over the network and through the add-on. */
export const samplesPerTopic = Math.min(20_000, Math.ceil(samplesPerCodec / 10));

/** What the samples are made from; the same one makes the same samples. */
export const seed = Number(process.env.HLC_FUZZ_SEED ?? 20260101);
