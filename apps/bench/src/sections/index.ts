import type { Section } from '../section.ts';
import { economics } from './economics.ts';
import { evaluation } from './evaluation.ts';
import { fleet } from './fleet.ts';
import { proxy } from './proxy.ts';
import { redaction } from './redaction.ts';
import { speed } from './speed.ts';
import { tokens } from './tokens.ts';
import { trajectory } from './trajectory.ts';

/** The sections of the report, in order. */
export const sections: readonly Section[] = [tokens, redaction, speed, proxy, fleet, trajectory, evaluation, economics];
