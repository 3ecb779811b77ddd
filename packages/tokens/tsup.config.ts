import { packageBuild } from '../../tsup.base.ts';

export default packageBuild(['src/index.ts', 'src/exact.ts', 'src/images.ts', 'src/models.ts', 'src/usage.ts']);
