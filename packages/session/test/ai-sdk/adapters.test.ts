import { testAdapter } from '../../../../test/adapter-suite/index.ts';
import { contextMiddlewareDriver, contextStepDriver } from './drivers.ts';

testAdapter(contextStepDriver);
testAdapter(contextMiddlewareDriver);
