/**
 * A module of src/ as built; its DDS part loads the add-on that `HLC_NATIVE_ADDON` names.
 * @param {string} module below dist/
 */
async function built(module) {
  /** @type {unknown} */
  const exported = await import(new URL(`../../dist/${module}`, import.meta.url).href);
  return exported;
}

export const { DdsContext } = /** @type {typeof import('../../src/dds/index.js')} */ (
  await built('dds/index.js')
);
export const { loadNative } = /** @type {typeof import('../../src/dds/native.js')} */ (
  await built('dds/native.js')
);
export const { topics } = /** @type {typeof import('../../src/messages/index.js')} */ (
  await built('messages/index.js')
);
