// Starts a controller with a defect: main.mjs DEFECT VEHICLE-IDS STATE-FOLDER
import process from 'node:process';
import { controllers } from './defects.mjs';

const [defect = '', ids = '1', stateFolder = ''] = process.argv.slice(2);
const Controller = controllers[/** @type {keyof typeof controllers} */ (defect)];
new Controller(ids.split(',').map(Number), 1, stateFolder).signIn();
