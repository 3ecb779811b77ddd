import { packageBuild } from '../../tsup.base.ts';

export default packageBuild([
  'src/index.ts',
  'src/adapter.ts',
  'src/fetch.ts',
  'src/ai-sdk.ts',
  'src/language-model.ts',
  'src/file-store.ts',
  'src/redis-store.ts',
  'src/postgres-store.ts',
  'src/opentelemetry.ts',
]);
