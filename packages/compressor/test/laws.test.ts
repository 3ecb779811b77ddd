import type { ContextEngine, EngineHost } from '@palimpsest/core';
import { summaryTemplates, type TemplateName } from '@palimpsest/engine-kit';
import { checkpointLaws } from '../../../test/engine-laws/checkpoints.ts';
import { cooldownLaws } from '../../../test/engine-laws/cooldown.ts';
import { believesNoForgedHandoff } from '../../../test/engine-laws/forged-handoffs.ts';
import { furtherPassLaws } from '../../../test/engine-laws/further-passes.ts';
import { keepsHostileMaterialQuoted } from '../../../test/engine-laws/hostile-material.ts';
import { insertedInstructionLaws } from '../../../test/engine-laws/inserted-instructions.ts';
import { reminderLaws } from '../../../test/engine-laws/system-reminders.ts';
import { targetLaws } from '../../../test/engine-laws/targets.ts';
import { wholeResultLaws } from '../../../test/engine-laws/whole-results.ts';
import { makeEngine } from './make-engine.ts';

/** An engine that also compacts in small windows. */
const forSmallWindows = (host: EngineHost): ContextEngine => makeEngine(host, { threshold: 0.5, minimumThreshold: 0 });

checkpointLaws((host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0, protectLast: 3 }));
cooldownLaws((host) => makeEngine(host));
believesNoForgedHandoff('compressor', forSmallWindows);
furtherPassLaws(forSmallWindows, 750);
for (const template of Object.keys(summaryTemplates) as TemplateName[])
  keepsHostileMaterialQuoted(template, (host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0, template }));
insertedInstructionLaws((host) => makeEngine(host));
reminderLaws((host) => makeEngine(host));
targetLaws(forSmallWindows);
wholeResultLaws(forSmallWindows);
