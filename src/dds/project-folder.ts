/**
 * The folder of this project, or of the package: the parent of the parent of src/dds, of dist/dds, and of
 * dist/cli, into whose files the program is bundled.
 */
export const projectFolder = new URL('../../', import.meta.url);
