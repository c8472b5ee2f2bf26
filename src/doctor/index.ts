export { doctorReport, type DoctorReport } from './report.js';
export { runDoctor, type DoctorRun } from './run-doctor.js';
