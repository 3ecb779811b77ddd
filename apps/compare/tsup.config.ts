import { packageBuild } from '../../tsup.base.ts';

export default packageBuild(['src/cli.ts'], { format: ['esm'], platform: 'node', dts: false });
