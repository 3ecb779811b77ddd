/** URL of the script of the worker threads. It is next to this file, in the sources and in a build. */
export const workerScript: URL = new URL(
  import.meta.url.endsWith('.ts') ? './worker-thread.ts' : './worker-thread.js',
  import.meta.url,
);
