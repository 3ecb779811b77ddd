import { realTranscriptLaws } from '../../../test/engine-laws/real-transcripts.ts';
import { makeEngine } from './make-engine.ts';

realTranscriptLaws((host) => makeEngine(host, { minimumThreshold: 0 }));
