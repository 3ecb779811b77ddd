import { defineConfig } from 'tsup';
import { packageBuild } from '../../tsup.base.ts';

export default [
  packageBuild(['src/index.ts', 'src/personal.ts']),
  // All it needs is built in: installing the library brings nothing else along.
  defineConfig({
    entry: { cli: 'src/program/main.ts' },
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    dts: false,
    minifySyntax: true,
    noExternal: [/./],
  }),
];
