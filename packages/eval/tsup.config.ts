import { packageBuild } from '../../tsup.base.ts';

export default packageBuild(['src/index.ts', 'src/measures.ts', 'src/cli.ts'], {
  platform: 'node',
  // Defines `import.meta.url` in the CommonJS build.
  shims: true,
});
