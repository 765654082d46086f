/** Which setting decides whether a happening is said; what has none is always said. */

/**
 * The kinds of news, each with its setting `say_KIND`.
 * @typedef {"plays" | "tricks" | "pass" | "scores" | "rulings" | "people" | "clock"} Channel
 */

/** By the names of events (docs/wire.md); a test sees to it that none is missing. */
/** @type {Record<string, Channel | "">} */
export const CHANNELS = {
  // The match
  MatchStarted: "",
  Committed: "",
  Promised: "",
  Contributed: "",
  Revealed: "",
  DealerDrawn: "",
  Dealt: "",
  Passed: "pass",
  PassTakenBack: "pass",
  Exchanged: "", // it changes the own hand
  PlayStarted: "",
  Played: "plays",
  TrickTaken: "tricks",
  TrickHeld: "tricks",
  KittyTaken: "tricks",
  Claimed: "",
  UndoAsked: "plays",
  UndoAnswered: "plays",
  PlayTakenBack: "plays",
  MoonShot: "",
  DealScored: "scores",
  LotsDrawn: "scores",
  Settled: "scores",
  MatchEnded: "",
  // At a refereed table
  Objected: "rulings",
  TakenBack: "rulings",
  RevokeClaimed: "rulings",
  TricksMixed: "rulings",
  Reckoned: "scores",
  DealCut: "rulings",
  Accepted: "rulings",
  Misdealt: "",
  HandsShort: "",
  RestTaken: "tricks",
  // The table
  Opened: "",
  Changed: "",
  Sat: "people",
  BotSat: "people",
  SeatWanted: "",
  SeatDenied: "",
  SeatForgone: "people",
  Stood: "people",
  Swapped: "people",
  HandedOver: "people",
  Barred: "",
  Paused: "",
  Unpaused: "",
  StoodIn: "people",
  CameBack: "people",
  Readied: "",
  ClockAccepted: "clock",
  TimeGiven: "clock",
  Closed: "",
};

/** Channels of which a person always hears what is about themselves. */
const OWN = ["people", "clock", "rulings"];

/**
 * Whether somebody hears of a happening.
 * @param {Record<string, any>} happening
 * @param {number | null} seat theirs
 * @param {Record<string, any>} settings
 */
export function heard(happening, seat, settings) {
  const channel = CHANNELS[happening.event] ?? "";
  const about = [happening.seat, happening.one, happening.other, happening.against];
  const own = seat !== null && OWN.includes(channel) && about.includes(seat);
  return channel === "" || own || settings[`say_${channel}`] !== false;
}
