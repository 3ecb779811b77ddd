import { packageBuild } from '../../tsup.base.ts';

export default packageBuild(['src/anthropic.ts', 'src/extractive.ts', 'src/openai.ts']);
