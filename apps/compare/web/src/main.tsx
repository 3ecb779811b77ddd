import { render } from 'preact';
import 'virtual:palette.css';
import './style/base.css';
import './style/layout.css';
import './style/controls.css';
import './style/results.css';
import './style/replay.css';
import './style/side.css';
import './style/reading.css';
import './style/handoff.css';
import './style/messages.css';
import { App } from './app.tsx';
import { trustOwnWorkers } from './trusted-scripts.ts';

trustOwnWorkers();
render(<App />, document.getElementById('app')!);
