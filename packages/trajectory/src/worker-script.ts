/** The script of the worker threads: beside this file, in the sources as in a build. */
export const workerScript: URL = new URL(
  import.meta.url.endsWith('.ts') ? './worker-thread.ts' : './worker-thread.js',
  import.meta.url,
);
