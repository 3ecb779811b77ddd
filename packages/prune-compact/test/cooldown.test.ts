import { cooldownLaws } from '../../../test/engine-laws/cooldown.ts';
import { makeEngine } from './make-engine.ts';

cooldownLaws((host) => makeEngine(host));
