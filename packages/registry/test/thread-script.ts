import { pathToFileURL } from 'node:url';
import { type BundledProcess, bundleProcess } from '../../../test/bundle-process.ts';

/** The worker script, bundled from the sources. */
export interface ThreadScript {
  readonly url: URL;
  /** The import of `writeHandoff` for an engine module in a temporary folder. */
  readonly importWriteHandoff: string;
  remove(): void;
}

export async function buildThreadScript(): Promise<ThreadScript> {
  const bundle: BundledProcess = await bundleProcess(
    import.meta.url,
    '../src/worker-thread.ts',
    // For engine modules: their folder has no packages installed.
    '../../core/src/authoring.ts',
  );
  const url = pathToFileURL(bundle.script);
  return {
    url,
    importWriteHandoff: `import { writeHandoff } from '${new URL('authoring.js', url)}';`,
    remove: () => bundle.remove(),
  };
}
