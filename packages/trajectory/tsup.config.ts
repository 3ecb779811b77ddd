import { packageBuild } from '../../tsup.base.ts';

export default packageBuild(['src/index.ts', 'src/files.ts', 'src/queue.ts', 'src/worker-thread.ts', 'src/cli.ts'], {
  platform: 'node',
  // `import.meta.url` in the CommonJS build, where the script of the worker threads is found beside it.
  shims: true,
});
