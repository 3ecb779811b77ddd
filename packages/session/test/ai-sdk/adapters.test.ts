import { testAdapter } from '../../../../test/adapter-suite/index.ts';
import { contextStepDriver } from './drivers.ts';

testAdapter(contextStepDriver);
