import { packageBuild } from '../../tsup.base.ts';

export default packageBuild(['src/index.ts', 'src/config.ts', 'src/worker-thread.ts'], {
  platform: 'node',
  // `import.meta.url` in the CommonJS build, where the worker's script is found beside it.
  shims: true,
});
