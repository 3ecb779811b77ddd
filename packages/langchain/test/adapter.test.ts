import { testAdapter } from '../../../test/adapter-suite/index.ts';
import { langchainDriver } from './driver.ts';

testAdapter(langchainDriver);
