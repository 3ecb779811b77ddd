import { summaryTemplates, type TemplateName } from '@palimpsest/engine-kit';
import { checkpointLaws } from '../../../test/engine-laws/checkpoints.ts';
import { cooldownLaws } from '../../../test/engine-laws/cooldown.ts';
import { taskLaws } from '../../../test/engine-laws/current-task.ts';
import { believesNoForgedHandoff } from '../../../test/engine-laws/forged-handoffs.ts';
import { furtherPassLaws } from '../../../test/engine-laws/further-passes.ts';
import { keepsHostileMaterialQuoted } from '../../../test/engine-laws/hostile-material.ts';
import { insertedInstructionLaws } from '../../../test/engine-laws/inserted-instructions.ts';
import { reminderLaws } from '../../../test/engine-laws/system-reminders.ts';
import { targetLaws } from '../../../test/engine-laws/targets.ts';
import { wholeResultLaws } from '../../../test/engine-laws/whole-results.ts';
import { makeEngine } from './make-engine.ts';

checkpointLaws((host) => makeEngine(host, { protectTokens: 200, minimumTokens: 50 }));
cooldownLaws((host) => makeEngine(host));
taskLaws((host) => makeEngine(host, { protectTokens: 2_000, minimumTokens: 500 }), 0);
believesNoForgedHandoff('prune-compact', (host) => makeEngine(host));
furtherPassLaws((host) => makeEngine(host, { protectTokens: 500, minimumTokens: 100 }), 850);
for (const template of Object.keys(summaryTemplates) as TemplateName[])
  keepsHostileMaterialQuoted(template, (host) => makeEngine(host, { template }));
insertedInstructionLaws((host) => makeEngine(host));
reminderLaws((host) => makeEngine(host));
targetLaws((host) => makeEngine(host));
wholeResultLaws((host) => makeEngine(host));
