import { testAdapter } from '../../../test/adapter-suite/index.ts';
import { agentsDriver } from './driver.ts';

testAdapter(agentsDriver);
