import { believesNoForgedHandoff } from '../../../test/engine-laws/forged-handoffs.ts';
import { makeEngine } from './make-engine.ts';

believesNoForgedHandoff('prune-compact', (host) => makeEngine(host));
