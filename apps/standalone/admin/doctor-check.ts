/** One line of the doctor's report. */
export interface DoctorCheck {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}
