import type { Session } from '@palimpsest/session';
import type { LoopbackServer } from '../loopback-server/index.ts';
import type { Feature } from './driver.ts';
import type { AgentKnobs, WatchedAgent } from './suite-agent.ts';

/** What a case works with. */
export interface Bench {
  readonly server: LoopbackServer;
  /** Starts an agent of the driver. It is closed after the case, and its history must not have been damaged. */
  start(session: Session, knobs?: AgentKnobs): Promise<WatchedAgent>;
}

/** A case that an adapter has to pass. */
export interface AdapterCase {
  /** The feature that it tests; `null` for what every adapter can do. */
  readonly feature: Feature | null;
  readonly name: string;
  run(bench: Bench): Promise<void>;
}
