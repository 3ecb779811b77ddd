export type {
  AdapterDriver,
  AgentAnswer,
  AgentOptions,
  AgentTool,
  Feature,
  RunningAgent,
  UserRequest,
} from './driver.ts';
export { testAdapter } from './test-adapter.ts';
