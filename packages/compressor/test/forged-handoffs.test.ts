import { believesNoForgedHandoff } from '../../../test/engine-laws/forged-handoffs.ts';
import { makeEngine } from './make-engine.ts';

believesNoForgedHandoff('compressor', (host) => makeEngine(host, { minimumThreshold: 0 }));
