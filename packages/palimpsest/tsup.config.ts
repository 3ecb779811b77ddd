import { defineConfig } from 'tsup';
import { thirdPartyNotices } from '../../third-party-notices.ts';
import { packageBuild } from '../../tsup.base.ts';

export default [
  packageBuild(['src/index.ts'], { platform: 'node' }),
  // Nobody imports the program, so it has one format and no types.
  defineConfig({
    entry: { cli: 'src/cli.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    splitting: true,
    treeshake: true,
    minifySyntax: true,
    esbuildPlugins: [thirdPartyNotices],
  }),
];
