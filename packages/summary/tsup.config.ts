import { packageBuild } from '../../tsup.base.ts';

export default packageBuild([
  'src/index.ts',
  'src/summarizers/anthropic.ts',
  'src/summarizers/by-name.ts',
  'src/summarizers/openai.ts',
]);
