import { createPiExtension } from './extension.ts';
import type { PiApi } from './pi-api.ts';

export { createPiExtension, type PiExtensionOptions } from './extension.ts';
export type { PiApi } from './pi-api.ts';

/** The extension with its defaults, which pi loads from the package. */
const extension: (pi: PiApi) => void = createPiExtension();
export default extension;
