import { render } from 'preact';
import { Controls } from './controls.js';
import { Controllers } from './controllers.js';
import { Events } from './events.js';
import { Header } from './header.js';
import { MapView } from './map-view.js';
import { Notice } from './notice.js';
import { Playback } from './playback.js';
import { RemoteAgents } from './remote-agents.js';
import { follow, playback } from './state.js';
import { Times } from './times.js';
import { Vehicles } from './vehicles.js';

function App() {
  return (
    <>
      <Header />
      <Notice />
      <main>
        <div class="column">
          <MapView />
          <Times />
        </div>
        <div class="column">
          {playback.value === undefined ? <Controls /> : <Playback />}
          <Controllers />
          <Vehicles />
          <RemoteAgents />
          <Events />
        </div>
      </main>
    </>
  );
}

const place = document.getElementById('app');
if (place !== null) render(<App />, place);
follow();
