import { defineConfig } from 'tsup';
import { thirdPartyNotices } from '../../third-party-notices.ts';
import { packageBuild } from '../../tsup.base.ts';

export default [
  packageBuild(['src/index.ts', 'src/personal.ts']),
  // The program bundles its dependencies, so the package has none.
  defineConfig({
    entry: { cli: 'src/program/main.ts' },
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    dts: false,
    minifySyntax: true,
    noExternal: [/./],
    esbuildPlugins: [thirdPartyNotices],
  }),
];
