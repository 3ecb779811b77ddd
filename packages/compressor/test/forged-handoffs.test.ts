import { believesNoForgedHandoff } from '../../../test/engine-laws/forged-handoffs.ts';
import { makeEngine } from './make-engine.ts';

believesNoForgedHandoff('compressor', (host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0 }));
