// Ends a program of Node.js that wants the network.
require("node:net").Socket.prototype.connect = () => {
  console.error("the network was asked");
  process.exit(3);
};
