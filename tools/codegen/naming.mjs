/**
 * The name of the generated file of a type, without its ending: `HLCHello` gives `hlc-hello`,
 * `Pose2D` gives `pose2d`.
 * @param {string} typeName
 */
export function fileStem(typeName) {
  return typeName
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
