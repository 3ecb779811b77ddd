import { screenshotLaws } from '../../../test/engine-laws/screenshot-agent.ts';
import { makeEngine } from './make-engine.ts';

screenshotLaws((host) => makeEngine(host, { protectTokens: 1_000, minimumTokens: 200 }));
