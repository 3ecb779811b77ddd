export type { AdapterDriver, AgentAnswer, AgentOptions, RunningAgent, UserRequest } from './driver.ts';
export { testAdapter } from './test-adapter.ts';
