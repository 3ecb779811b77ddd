import { packageBuild } from '../../tsup.base.ts';

export default packageBuild(['src/anthropic.ts', 'src/by-name.ts', 'src/extractive.ts', 'src/openai.ts']);
