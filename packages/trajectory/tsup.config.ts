import { packageBuild } from '../../tsup.base.ts';

export default packageBuild(['src/index.ts', 'src/files.ts', 'src/queue.ts', 'src/worker-thread.ts', 'src/cli.ts'], {
  platform: 'node',
  // Defines `import.meta.url` in the CommonJS build, which locates the script of the worker threads with it.
  shims: true,
});
