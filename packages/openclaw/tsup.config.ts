import { packageBuild } from '../../tsup.base.ts';

// With only a default export, tree shaking would write `module.exports = plugin`, which the types do not say.
export default packageBuild(['src/index.ts'], { treeshake: false });
